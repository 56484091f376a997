/* Plays games of tictactoe in this process, first legal action against first legal action:
 *
 *     cc play.c -I ../../inprocess ../../../bin/libpowderkeg.so -o play && ./play 1000
 *
 * It asks for the environment by a request of PROTOCOL.md, in msgpack by hand, binds memory of
 * its own to it, and steps it without any. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "powderkeg.h"

#define HELLO "\x94\x00\x01\xa5hello\x82\xa8versions\x91\x01\xa6" "client\xa1" "c"
#define MAKE "\x94\x00\x02\xa8" "env.make\x82\xa4game\xa9tictactoe\xa4seed\x07"

int main(int argc, char **argv) {
	if (argc != 2) return fprintf(stderr, "usage: play GAMES\n"), 2;
	if (pk_version() != PK_VERSION) return fprintf(stderr, "version %u\n", pk_version()), 1;

	uint64_t session = pk_open(0); /* calls return when they are done */
	void *answer;
	int64_t length;
	if (pk_call(session, HELLO, sizeof HELLO - 1, &answer, &length)) return 1;
	pk_free(answer);
	if (pk_call(session, MAKE, sizeof MAKE - 1, &answer, &length)) return 1;
	const unsigned char *key = memmem(answer, length, "\xa3" "env", 4);
	uint64_t env = key ? key[4] : 0; /* handles begin at 1, and those below 128 are one byte */
	pk_free(answer);

	float observation[18], rewards[2], returns[2];
	uint8_t mask[9];
	int64_t facts[6]; /* actor, observer, terminated, truncated, decisions, steps shown */
	pk_array arrays[PK_ENV_ARRAYS] = {{observation, 18}, {mask, 9}, {rewards, 2}, {returns, 2}, {facts, 6}};
	if (pk_bind(session, env, arrays, PK_ENV_ARRAYS)) return fprintf(stderr, "%s\n", pk_fault(session, env)), 1;
	if (pk_env_step(session, env, 9) != PK_FAULT) return fprintf(stderr, "action 9 was taken\n"), 1;
	char *fault = pk_fault(session, env);
	printf("%s\n", fault);
	pk_free(fault);

	double first = 0;
	long decisions = 0;
	for (int game = 0, games = atoi(argv[1]); game < games; game++) {
		pk_env_reset(session, env, 1, game);
		while (!facts[2]) {
			int action = 0;
			while (!mask[action]) action++;
			if (pk_env_step(session, env, action)) return 1;
		}
		first += returns[0];
		decisions += facts[4];
	}
	printf("%s games, %ld decisions, seat 0 gains %g\n", argv[1], decisions, first);
	pk_close(session);
	return pk_env_step(session, env, 0) == PK_UNKNOWN ? 0 : 1;
}
