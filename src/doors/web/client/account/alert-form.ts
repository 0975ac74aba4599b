/** Shows what an alert would do while its form is filled in: the server writes the preview. */
const TYPING_MS = 400;

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-alert]')) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;
  const check = async () => {
    const request = ++newest;
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
    body.set('do', 'check');
    const reply = await fetch(form.action, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const [old, next] = [document.getElementById('preview'), page.getElementById('preview')];
    // A late response to an earlier request must not overwrite a newer one.
    if (request === newest && old && next) old.innerHTML = next.innerHTML;
    hideButton();
  };
  const hideButton = () => {
    for (const button of form.querySelectorAll<HTMLElement>('.by-script')) button.hidden = true;
  };
  hideButton();
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void check().catch(() => undefined), TYPING_MS);
  });
}
