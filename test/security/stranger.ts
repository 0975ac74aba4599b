import { Browser } from '../oauth/browser.ts';

/** Sends forms from any address, through a proxy that the service trusts (TRUSTED_PROXIES=loopback). */
export class Stranger {
  readonly #baseUrl: string;
  readonly #cookie: string;
  readonly #csrf: string;

  constructor(baseUrl: string, cookie: string, csrf: string) {
    this.#baseUrl = baseUrl;
    this.#cookie = cookie;
    this.#csrf = csrf;
  }

  static async at(baseUrl: string): Promise<Stranger> {
    const browser = new Browser();
    const { html } = await browser.open(`${baseUrl}/sign-in`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return new Stranger(baseUrl, cookie, csrf);
  }

  async post(
    path: string,
    fields: Record<string, string>,
    address: string,
  ): Promise<{ status: number; headers: Headers; html: string }> {
    const reply = await fetch(`${this.#baseUrl}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ csrf: this.#csrf, ...fields }).toString(),
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: this.#cookie,
        'x-forwarded-for': address,
      },
    });
    return { status: reply.status, headers: reply.headers, html: await reply.text() };
  }
}
