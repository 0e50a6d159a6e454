/*
 * The kernels for elements of type T, included once for each width; NAME makes
 * their names. Counters are 64 bits wide and compared cut to T, so that those
 * of one byte wrap and go on.
 */

/* Polls one element until it holds v: what the peer wrote before is visible. */
static inline __attribute__((always_inline)) bool NAME(await)(const _Atomic(T) *p, T v, unsigned *polls)
{
	while (atomic_load_explicit(p, memory_order_acquire) != v)
		if (give_up(polls))
			return false;
	return true;
}

/* Polls the elements in order, each until it holds v. */
static inline __attribute__((always_inline)) bool NAME(await_all)(
	const _Atomic(T) *p, uint64_t length, T v, unsigned *polls)
{
	for (uint64_t i = 0; i < length; i++)
		if (!NAME(await)(p + i, v, polls))
			return false;
	return true;
}

static inline __attribute__((always_inline)) void NAME(publish)(_Atomic(T) *p, T v)
{
	atomic_store_explicit(p, v, memory_order_release);
}

/* Stores v to the elements in order, one store each; the fence makes each of
 * them a release. */
static inline __attribute__((always_inline)) void NAME(publish_all)(_Atomic(T) *p, uint64_t length, T v)
{
	atomic_thread_fence(memory_order_release);
	for (uint64_t i = 0; i < length; i++)
		atomic_store_explicit(p + i, v, memory_order_relaxed);
}

/* Tests single and dual. Transfer k is the value k; the sides take turns. */
static bool NAME(words)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *in = s->in;
	_Atomic(T) *out = s->out;
	unsigned polls = POLLS;
	uint64_t k = from;
	if (k % 2 == s->writes)
		NAME(publish)(out, (T)k++);
	for (; k < to; k += 2) {
		if (!NAME(await)(in, (T)k, &polls))
			return false;
		NAME(publish)(out, (T)(k + 1));
	}
	return k > to || NAME(await)(in, (T)k, &polls);
}

/* Test array: as above, every element of an array. */
static bool NAME(arrays)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *in = s->in;
	_Atomic(T) *out = s->out;
	uint64_t length = s->length;
	unsigned polls = POLLS;
	uint64_t k = from;
	if (k % 2 == s->writes)
		NAME(publish_all)(out, length, (T)k++);
	for (; k < to; k += 2) {
		if (!NAME(await_all)(in, length, (T)k, &polls))
			return false;
		NAME(publish_all)(out, length, (T)(k + 1));
	}
	return k > to || NAME(await_all)(in, length, (T)k, &polls);
}
