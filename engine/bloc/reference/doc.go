// Package reference is Bloc once more, plain and slow: a program that plays a game from
// top to bottom, with maps and lists, and asks its Host wherever somebody has to choose or
// a die is rolled. It is written from the rules alone, by somebody who has not read the
// engine, and shares with it nothing but the numbers printed on tiles and cards (the JSON
// files of engine/bloc/data). Tests demand that the engine puts the same questions in the
// same situations; nothing else imports it.
package reference
