import type { Document, DocumentContext } from '../../documents/document.ts';
import { headingId } from '../../documents/markdown.ts';
import { sectionOf } from './sections.ts';

const MARKDOWN = 'text/markdown';
/** A longer address cannot name a document. */
const MAX_URI_LENGTH = 500;

/** A resource as `resources/list` shows it. */
interface ResourceDefinition {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  size: number;
}

interface ResourceContents {
  uri: string;
  mimeType: string;
  text: string;
}

/** Documents whose sections are worth reading alone: what the placeholder in their template stands for. */
const SECTION_NAMES: Readonly<Record<string, string>> = {
  '/developers/venues': 'venue',
  '/developers/errors': 'code',
};

/**
 * The documents of the site as MCP resources. The URI of each is the address of its Markdown file, so links between
 * documents lead to other resources, and a client may also fetch them without MCP. A fragment selects one section.
 */
export class DocumentResources {
  readonly #pages: readonly Document[];
  readonly #context: DocumentContext;
  readonly #texts = new Map<string, string>();

  constructor(pages: readonly Document[], context: DocumentContext) {
    this.#pages = pages;
    this.#context = context;
  }

  list(): readonly ResourceDefinition[] {
    return this.#pages.map((page) => ({
      uri: this.#uriOf(page),
      name: nameOf(page),
      title: page.title,
      description: page.description,
      mimeType: MARKDOWN,
      size: Buffer.byteLength(this.#textOf(page)),
    }));
  }

  templates(): readonly object[] {
    return this.#pages.flatMap((page) => {
      const section = SECTION_NAMES[page.path];
      return section === undefined
        ? []
        : [
            {
              uriTemplate: `${this.#uriOf(page)}{#${section}}`,
              name: `${nameOf(page)}-${section}`,
              title: `${page.title}: one ${section}`,
              description: `Only the section of one ${section} of "${page.title}": ${page.description}`,
              mimeType: MARKDOWN,
            },
          ];
    });
  }

  /** Null if there is no such document or section. */
  read(uri: string): ResourceContents | null {
    if (uri.length > MAX_URI_LENGTH) return null;
    const [address = '', fragment] = uri.split('#', 2);
    const page = this.#pages.find((one) => this.#uriOf(one) === address);
    if (!page) return null;
    const whole = this.#textOf(page);
    const text = fragment === undefined ? whole : sectionOf(whole, headingId(decoded(fragment)));
    return text === null ? null : { uri, mimeType: MARKDOWN, text };
  }

  #uriOf({ path }: Document): string {
    return `${this.#context.baseUrl}${path}.md`;
  }

  /** Rendered at the first use, so that a start does not wait for it. */
  #textOf(page: Document): string {
    let text = this.#texts.get(page.path);
    if (text === undefined) {
      text = page.markdown(this.#context);
      this.#texts.set(page.path, text);
    }
    return text;
  }
}

/** `developers-venues` for `/developers/venues`. */
function nameOf({ path }: Document): string {
  return path.slice(1).replaceAll('/', '-');
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
