/* The powderkeg library, version 1 of its interface. README.md describes it. */
#ifndef POWDERKEG_H
#define POWDERKEG_H

#include <stdint.h>

#define PK_VERSION 1

/* What functions return beside numbers from 0 on. */
#define PK_FAULT (-1)   /* pk_fault says what was wrong */
#define PK_UNKNOWN (-2) /* no such session, or nothing is bound to the handle */
#define PK_LATER (-3)   /* it goes on; pk_wait waits for it */

/* Memory of the caller: so many numbers from data on. */
typedef struct {
	void *data;
	int64_t length;
} pk_array;

/* How many arrays pk_bind takes. */
#define PK_ENV_ARRAYS 5
#define PK_VEC_ARRAYS 13

#ifndef PK_NO_PROTOTYPES
#ifdef __cplusplus
extern "C" {
#endif

uint32_t pk_version(void);
void pk_zoo(const char *folder);

uint64_t pk_open(int32_t patience_ms);
void pk_close(uint64_t session);
int64_t pk_call(uint64_t session, const void *request, int64_t length, void **response, int64_t *response_length);
int64_t pk_wait(uint64_t session, uint64_t handle, void **response, int64_t *response_length);
char *pk_fault(uint64_t session, uint64_t handle);
void pk_free(void *memory);

int64_t pk_bind(uint64_t session, uint64_t handle, const pk_array *arrays, int32_t count);
int64_t pk_env_reset(uint64_t session, uint64_t handle, int32_t seeded, uint64_t seed);
int64_t pk_env_step(uint64_t session, uint64_t handle, int64_t action);
int64_t pk_env_clone(uint64_t session, uint64_t handle, uint64_t into);
int64_t pk_env_child(uint64_t session, uint64_t handle, uint64_t into, int64_t action);
int64_t pk_env_redeal(uint64_t session, uint64_t handle, uint64_t seed, int64_t seat);
int64_t pk_env_observe(uint64_t session, uint64_t handle, int64_t seat, float *values, int64_t count);
int64_t pk_env_close(uint64_t session, uint64_t handle);
int64_t pk_vec_reset(uint64_t session, uint64_t handle, int32_t seeded, uint64_t seed);
int64_t pk_vec_reset_slots(uint64_t session, uint64_t handle, const int32_t *slots, const uint64_t *seeds, int64_t count);
int64_t pk_vec_step(uint64_t session, uint64_t handle, const int32_t *actions, int64_t count);
int64_t pk_vec_step_slots(uint64_t session, uint64_t handle, const int32_t *slots, const int32_t *actions, int64_t count);
int64_t pk_vec_fork(uint64_t session, uint64_t handle, int64_t slot, const int32_t *slots, int64_t count);
int64_t pk_vec_recv(uint64_t session, uint64_t handle, int64_t count);

#ifdef __cplusplus
}
#endif
#endif

#endif
