/** Filters apply themselves: a changed choice sends the form, without the fields that are empty. */
function send(form: HTMLFormElement): void {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    const before = query.get(name);
    query.set(name, before === null ? value.trim() : `${before},${value.trim()}`);
  }
  const text = query.toString().replaceAll('%2C', ',');
  location.assign(text === '' ? form.action : `${form.action}?${text}`);
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-filters]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
  form.addEventListener('change', (event) => {
    const field = event.target;
    // In the drawer several fields are set before they apply.
    if (!(field instanceof HTMLElement) || field.closest('.drawer')) return;
    if (field.matches('select, [type=radio], [type=checkbox]')) send(form);
  });
}

for (const drawer of document.querySelectorAll<HTMLDetailsElement>('details.more')) {
  const close = () => {
    drawer.open = false;
  };
  drawer.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    close();
    drawer.querySelector('summary')?.focus();
  });
  document.addEventListener('pointerdown', (event) => {
    if (drawer.open && event.target instanceof Node && !drawer.contains(event.target)) close();
  });
}
