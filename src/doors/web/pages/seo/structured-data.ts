const PUBLISHER = { '@type': 'Organization', name: 'Perpwire' } as const;

/** The site itself, with its search. */
export function siteData(baseUrl: string, description: string): object[] {
  return [
    { ...PUBLISHER, '@id': `${baseUrl}/#publisher`, url: `${baseUrl}/`, logo: `${baseUrl}/icon.svg` },
    {
      '@type': 'WebSite',
      name: 'Perpwire',
      url: `${baseUrl}/`,
      description,
      publisher: { '@id': `${baseUrl}/#publisher` },
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${baseUrl}/search?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    },
  ];
}

export interface PageFacts {
  baseUrl: string;
  /** Path and query of the page. */
  canonical: string;
  title: string;
  description: string;
}

/** A page of figures as a data set, with the files that have the same figures. */
export function datasetData(facts: PageFacts, hasCsv: boolean, asOf: string | undefined): object[] {
  const { baseUrl, canonical, title, description } = facts;
  const [path = '', query] = canonical.split('?');
  const csv = hasCsv ? `${baseUrl}${path}.csv${query === undefined ? '' : `?${query}`}` : null;
  return [
    {
      '@type': 'Dataset',
      name: title,
      description: `${description}. Collected by Perpwire from the public interfaces of the venues.`,
      url: `${baseUrl}${canonical}`,
      isAccessibleForFree: true,
      creator: { ...PUBLISHER, url: `${baseUrl}/` },
      ...(asOf === undefined ? {} : { dateModified: asOf }),
      ...(csv === null
        ? {}
        : { distribution: [{ '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: csv }] }),
    },
    trail(facts),
  ];
}

/** A text of the documentation. */
export function articleData(facts: PageFacts): object[] {
  const { baseUrl, canonical, title, description } = facts;
  return [
    {
      '@type': 'TechArticle',
      headline: title,
      description,
      url: `${baseUrl}${canonical}`,
      author: { ...PUBLISHER, url: `${baseUrl}/` },
    },
    trail(facts),
  ];
}

/** The way from the start page, by the folders of the address. */
function trail({ baseUrl, canonical, title }: PageFacts): object {
  const folders = (canonical.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const item = (position: number, name: string, path: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item: `${baseUrl}${path}`,
  });
  const [first = ''] = folders;
  const between =
    folders.length > 1 ? [item(2, first.charAt(0).toUpperCase() + first.slice(1), `/${first}`)] : [];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [item(1, 'Perpwire', '/'), ...between, item(between.length + 2, title, canonical)],
  };
}
