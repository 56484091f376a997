// Package dataset makes datasets of games: a Collector plays episodes between
// agents and hands them on as columns, Export writes them to sharded Parquet,
// Arrow or NumPy files, and Check proves a file by playing its episodes again.
//
// README.md describes the columns and how to load them in Python.
package dataset
