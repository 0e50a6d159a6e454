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

/* Tests 1 and 1.1. Transfer k is the value k; the sides take turns. */
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

/* Test 2: as above, every element of an array. */
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

/* Flow control: A sends the array, B answers with one word. */
static bool NAME(flow_send)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *ack = s->in;
	_Atomic(T) *array = s->out;
	uint64_t length = s->length;
	unsigned polls = POLLS;
	for (uint64_t k = from; k <= to; k++) {
		NAME(publish_all)(array, length, (T)k);
		if (!NAME(await)(ack, (T)k, &polls))
			return false;
	}
	return true;
}

static bool NAME(flow_receive)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *array = s->in;
	_Atomic(T) *ack = s->out;
	uint64_t length = s->length;
	unsigned polls = POLLS;
	for (uint64_t k = from; k <= to; k++) {
		if (!NAME(await_all)(array, length, (T)k, &polls))
			return false;
		NAME(publish)(ack, (T)k);
	}
	return true;
}

/* Plain stores, which a word published later makes visible: one an element, as
 * everywhere in this suite, which volatile sees to. */
static inline void NAME(fill)(volatile T *block, uint64_t length, T v)
{
	for (uint64_t i = 0; i < length; i++)
		block[i] = v;
}

/* Plain loads, after the acquire that saw the block's word; one an element. */
static inline uint64_t NAME(count_wrong)(const volatile T *block, uint64_t length, T v)
{
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < length; i++)
		wrong += block[i] != v;
	return wrong;
}

/* Blocked read: a plain array under a flag whose value says which transfer is valid. */
static bool NAME(blocked_send)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *ack = s->in;
	_Atomic(T) *valid = s->out;
	T *block = s->data;
	uint64_t length = s->length;
	unsigned polls = POLLS;
	for (uint64_t k = from; k <= to; k++) {
		NAME(fill)(block, length, (T)k);
		NAME(publish)(valid, (T)k);
		if (!NAME(await)(ack, (T)k, &polls))
			return false;
	}
	return true;
}

static bool NAME(blocked_receive)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic(T) *valid = s->in;
	_Atomic(T) *ack = s->out;
	const T *block = s->data;
	uint64_t length = s->length, wrong = 0;
	unsigned polls = POLLS;
	uint64_t k = from;
	for (; k <= to && NAME(await)(valid, (T)k, &polls); k++) {
		wrong += NAME(count_wrong)(block, length, (T)k);
		NAME(publish)(ack, (T)k);
	}
	s->wrong += wrong;
	return k > to;
}

/*
 * Ring: the write index counts blocks published, the read index blocks consumed.
 * Block k goes to slot (k-1) % capacity and holds slot + lap, which differs from
 * what the slot held a lap before and from what its neighbours hold, at any
 * width and capacity. A phase ends with the ring empty: the producer waits for
 * the last credit, so its time is that of whole transfers.
 */
static bool NAME(ring_put)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic uint64_t *read = s->in;
	_Atomic uint64_t *write = s->out;
	T *blocks = s->data;
	uint64_t length = s->length, capacity = s->capacity, credit = 0;
	uint64_t slot = (from - 1) % capacity, lap = (from - 1) / capacity + 1;
	unsigned polls = POLLS;
	for (uint64_t k = from; k <= to; k++) {
		if (k > capacity && !await_index(read, k - capacity, &credit, &polls))
			return false;
		NAME(fill)(blocks + slot * length, length, (T)(slot + lap));
		atomic_store_explicit(write, k, memory_order_release);
		if (++slot == capacity)
			slot = 0, lap++;
	}
	return await_index(read, to, &credit, &polls);
}

static bool NAME(ring_take)(struct side *s, uint64_t from, uint64_t to)
{
	const _Atomic uint64_t *write = s->in;
	_Atomic uint64_t *read = s->out;
	const T *blocks = s->data;
	uint64_t length = s->length, capacity = s->capacity, ready = 0, wrong = 0;
	uint64_t slot = (from - 1) % capacity, lap = (from - 1) / capacity + 1;
	unsigned polls = POLLS;
	uint64_t k = from;
	for (; k <= to && await_index(write, k, &ready, &polls); k++) {
		wrong += NAME(count_wrong)(blocks + slot * length, length, (T)(slot + lap));
		atomic_store_explicit(read, k, memory_order_release);
		if (++slot == capacity)
			slot = 0, lap++;
	}
	s->wrong += wrong;
	return k > to;
}
