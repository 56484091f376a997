// Package kernel holds the loops in which networks spend their time, in Go and, on amd64,
// in assembly for processors with AVX: products of matrices, activations, powers of e, Adam.
//
//	kernel.Gemm(blas.NoTrans, blas.Trans, x, w, y) // y += x wᵀ
//
// Every number of a product is added up in one order, that of the inner index:
//
//	c[i][j] = (((c[i][j] + a[i][0] b[0][j]) + a[i][1] b[1][j]) + ...)
//
// with each product rounded before it is added. Vectors lie across the columns of c, so
// that the assembly keeps that order, and so do blocks, tiles and the ways for matrices
// of many zeroes: the result is the same, bit for bit, with assembly or without, for a
// row alone or in a batch, and for any division of c among goroutines. (Terms that are
// zero may be left out, which changes nothing where the factors are finite and no number
// of c begins as -0. What a NaN carries is not defined.)
//
// Where most numbers of a factor are zero it is better given as rows (Row), whose zeroes are
// looked for once instead of in every product. Columns of rows that are seldom zero go through
// tiles in a gradient, zeroes and all.
//
// Two ways to act faster were measured and left out. Between two decisions of a seat few numbers
// change, as in chess, where the sums of a first layer are kept and patched (NNUE). Floating-point
// sums can be patched exactly only in parts: sums of blocks of inputs are kept, those with a change
// made again, and all added in order. These are nanoseconds of processor time for a row of positions
// that follow each other in random play, layers of 256 and 256 units, on a Zen 4:
//
//	                                            insurgency     bloc  minuteman
//	numbers                                          1,804    3,087      3,905
//	not zero                                           287      439        412
//	changed                                             11       30         42
//	play and observation                            11,100    9,000     12,100
//	forward pass, alone                              7,500    9,400     17,000
//	forward pass, among 32                           7,300    8,300     15,300
//	first layer                                      3,400    5,400      5,000
//	sums of blocks, changes known                    1,900    2,750      2,550
//	sums of blocks, changes sought in Go             7,100    9,300     11,500
//
// So 8 to 15% of acting could be saved at most, before changes are found, for another order of all
// sums, which would be other weights of every run and other moves of every network. Whole numbers
// could be patched in any order, but would not be those that the learner has. In searches with the
// networks of the zoo hidden layers take 7% (Insurgency), 9% (Minuteman) and 26% (Bloc): their time
// goes into the advice of scripted players, observations and moves. The other way, logits of legal
// actions alone, made a pass 1.08, 1.0 and 1.19 times as fast, and such searches 2 to 4% at most.
//
// Powers are those of math.Exp, bit for bit, in assembly where the processor has AVX2 and the
// fused products that math.Exp itself uses then.
//
// The build tag purego leaves the assembly out. On arm64 the loops are those of Go, which
// multiply and add one number at a time. NEON has vectors of four and would bring about three to
// four times that, since most cores begin as many vector operations at a time as scalar ones. It
// is not there for two reasons: to keep the order with each product rounded, kernels may not use
// the fused VFMLA, and a product and a sum of vectors apart are what Go's assembler for arm64
// has no names for, so that each would be a coded word; and avo, which makes the assembly for
// amd64, knows no other processor.
package kernel

//go:generate go run ./internal/avx -out avx_amd64.s -stubs avx_amd64.go -pkg kernel
