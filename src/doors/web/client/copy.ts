/** Buttons that copy the code beside them. They are hidden until this script runs. */
const SHOWN_MS = 2000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const label = button.querySelector('span') ?? button;
  const words = label.textContent ?? '';
  label.setAttribute('role', 'status');
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = button.closest('[data-copies]');
    // A note above a program may name a command in code of its own.
    const programs = [...(block?.querySelectorAll<HTMLElement>('pre code') ?? [])];
    const codes = programs.length > 0 ? programs : [...(block?.querySelectorAll<HTMLElement>('code') ?? [])];
    const text = codes.find((code) => code.checkVisibility())?.textContent ?? '';
    try {
      await navigator.clipboard.writeText(text);
      label.textContent = 'Copied';
    } catch {
      label.textContent = 'Select and copy by hand';
    }
    setTimeout(() => {
      label.textContent = words;
    }, SHOWN_MS);
  });
}
