/** A page that the browser shows, or the external URL that it was redirected to. */
export interface Page {
  status: number;
  url: URL;
  html: string;
  /** Set when a redirect leads to another site. It is not followed, because nothing may listen there. */
  leftTo: URL | null;
}

/** A browser with cookies and forms but no scripts; the pages must work in it. */
export class Browser {
  readonly cookies = new Map<string, string>();

  async open(url: string | URL): Promise<Page> {
    return await this.#follow(new URL(url), { method: 'GET' });
  }

  /** Sends the first form of the content, or the one with that action, with its hidden fields and these. */
  async submit(page: Page, fields: Record<string, string | string[]>, action?: string): Promise<Page> {
    // The frame has forms of its own: search and display settings.
    const content = page.html.slice(Math.max(0, page.html.indexOf('<main')));
    const forms = [...content.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
    const form = forms.find(([, to]) => action === undefined || to === action);
    if (!form) throw new Error(`no form${action ? ` ${action}` : ''} on ${page.url}: ${text(page)}`);
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of (form[2] ?? '').matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ))
      body.set(unescaped(name), unescaped(value));
    for (const [name, values] of Object.entries(fields)) {
      body.delete(name);
      for (const value of [values].flat()) body.append(name, value);
    }
    return await this.post(new URL(unescaped(form[1] ?? ''), page.url), body);
  }

  async post(url: URL, body: URLSearchParams, headers: Record<string, string> = {}): Promise<Page> {
    return await this.#follow(url, {
      method: 'POST',
      body: body.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: url.origin,
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
    });
  }

  async #follow(start: URL, first: RequestInit): Promise<Page> {
    let url = start;
    let request: RequestInit = first;
    for (let hops = 0; hops < 10; hops++) {
      const reply = await fetch(url, {
        ...request,
        redirect: 'manual',
        headers: { ...(request.headers as Record<string, string>), cookie: this.#cookieHeader() },
      });
      this.#keep(reply.headers.getSetCookie());
      const location = reply.headers.get('location');
      const html = await reply.text();
      if (location === null || reply.status < 300 || reply.status > 399)
        return { status: reply.status, url, html, leftTo: null };
      const next = new URL(location, url);
      if (next.origin !== url.origin) return { status: reply.status, url, html, leftTo: next };
      url = next;
      request = { method: 'GET' };
    }
    throw new Error(`too many redirects, the last to ${url}`);
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** The text of a page, for messages and assertions. */
export function text(page: Page): string {
  const body = /<main[^>]*>([\s\S]*)<\/main>/.exec(page.html)?.[1] ?? page.html;
  return unescaped(body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')).trim();
}

function unescaped(markup: string): string {
  const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
  return markup.replaceAll(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code, name) =>
    code === undefined ? (NAMED[name] ?? '') : String.fromCharCode(Number(code)),
  );
}
