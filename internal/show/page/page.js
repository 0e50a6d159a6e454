// Finding and ordering results; the page reads without it.
(() => {
	const tools = document.querySelector(".tools"), find = tools.querySelector("input"), order = tools.querySelector("select");
	tools.hidden = false;
	find.addEventListener("input", () => {
		for (const e of document.querySelectorAll("[data-name]"))
			e.hidden = !e.dataset.name.includes(find.value.trim());
	});
	const keys = {
		file: e => +e.dataset.place,
		median: e => +e.dataset.median,
		name: e => e.dataset.name,
	};
	const lists = document.querySelectorAll(".overview");
	for (const list of lists) list.querySelectorAll("[data-name]").forEach((e, i) => { e.dataset.place = i; });
	order.addEventListener("change", () => {
		const key = keys[order.value];
		for (const list of lists)
			list.append(...[...list.querySelectorAll("[data-name]")].sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
	});
})();
