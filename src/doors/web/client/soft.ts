/**
 * Links and forms that show the same page with another query: filters, orders, units, pages. They change the content in
 * place, and the address follows. Without this script they load the page.
 */
import { showAddress } from './change-page.ts';
import { keepPreference } from './layout.ts';

const TYPING_MS = 300;

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('main a[href]') : null;
  if (!link || !isOfThisPage(link)) return;
  event.preventDefault();
  // Alt with a click on a chip shows its series alone.
  const solo = event.altKey ? link.parentElement?.querySelector<HTMLAnchorElement>('a.solo') : null;
  keep(link.dataset.keep, link.parentElement?.querySelector<HTMLElement>('[aria-current]')?.dataset.keep);
  showAddress((solo ?? link).href, 'push');
});

/** Rows that open in place (`a.ex`) have a script of their own. */
function isOfThisPage(link: HTMLAnchorElement): boolean {
  if (link.origin !== location.origin || link.pathname !== location.pathname) return false;
  const isPlaceInPage = link.hash !== '' && link.search === location.search;
  return !isPlaceInPage && !link.hasAttribute('download') && link.target === '' && !link.matches('.ex');
}

/**
 * A setting that other pages start with, such as `unit=apr`. The address of before names the setting of before: without
 * it, the new one would apply to it too.
 */
function keep(setting: string | undefined, before: string | undefined): void {
  const [name = '', value = ''] = setting?.split('=') ?? [];
  if (value === '') return;
  const address = new URL(location.href);
  const [, old = ''] = before?.split('=') ?? [];
  if (old !== '') address.searchParams.set(name, old);
  history.replaceState(null, '', address);
  void keepPreference(name, value).catch(() => undefined);
}

/** The address that the form leads to, without empty fields. */
function addressOf(form: HTMLFormElement, submitter: HTMLElement | null = null): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    const before = query.get(name);
    query.set(name, before === null ? value.trim() : `${before},${value.trim()}`);
  }
  const text = query.toString().replaceAll('%2C', ',');
  const { pathname } = new URL(form.action);
  return text === '' ? pathname : `${pathname}?${text}`;
}

function isSoft(form: HTMLFormElement | null): form is HTMLFormElement {
  if (!form?.matches('main form[method=get]')) return false;
  return new URL(form.action).pathname === location.pathname;
}

let timer: ReturnType<typeof setTimeout> | undefined;

document.addEventListener('submit', (event) => {
  const form = event.target instanceof HTMLFormElement ? event.target : null;
  // A button may send the form elsewhere.
  if (event.defaultPrevented || !isSoft(form) || event.submitter?.hasAttribute('formaction')) return;
  event.preventDefault();
  clearTimeout(timer);
  for (const drawer of form.querySelectorAll<HTMLDetailsElement>('details.more[open]')) drawer.open = false;
  showAddress(addressOf(form, event.submitter), 'push');
});

/** Choices apply themselves. In the drawer several fields are set before they apply. */
document.addEventListener('change', (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  if (
    !isSoft(field.form) ||
    field.closest('.drawer') ||
    !field.matches('select, [type=radio], [type=checkbox]')
  )
    return;
  const group = field.closest('[data-keep]');
  const before = group?.querySelector<HTMLInputElement>('input[checked]')?.value;
  if (group) keep(`${field.name}=${field.value}`, `${field.name}=${before ?? ''}`);
  showAddress(addressOf(field.form), 'push');
});

/** Texts with `data-instant`, or in a form with it, apply while they are typed. */
document.addEventListener('input', (event) => {
  const field = event.target;
  if (!(field instanceof HTMLInputElement) || !field.closest('[data-instant]') || !isSoft(field.form)) return;
  if (/radio|checkbox/.test(field.type)) return;
  const { form } = field;
  clearTimeout(timer);
  timer = setTimeout(() => showAddress(addressOf(form), 'replace'), TYPING_MS);
});
