/** The interactive reference: Scalar with our API description. Nothing is sent to other hosts. */
interface ScalarGlobal {
  createApiReference(place: string, configuration: Readonly<Record<string, unknown>>): unknown;
}

interface Parameter {
  in: string;
  required?: boolean;
  example?: unknown;
  examples?: Record<string, unknown>;
}

interface Description {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
}

declare const Scalar: ScalarGlobal;

async function show(place: HTMLElement): Promise<void> {
  const reply = await fetch(place.dataset.description ?? '');
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const description = (await reply.json()) as Description;
  for (const { get } of Object.values(description.paths))
    for (const parameter of get?.parameters ?? []) disableExample(parameter);
  // Scalar needs an empty element: it would take ours for its server-rendered output. It brings its own <main>.
  const stage = document.createElement('div');
  stage.id = 'scalar';
  const { createApiReference } = Scalar;
  place.replaceWith(stage);
  createApiReference('#scalar', {
    content: description,
    telemetry: false,
    withDefaultFonts: false,
    // Do not store the key that a user enters.
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'bearer' },
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

/** Disables example values: Scalar would send all of them at once, and no row matches all filters together. */
function disableExample(parameter: Parameter): void {
  if (parameter.in !== 'query' || parameter.required || parameter.example === undefined) return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

const place = document.getElementById('reference');
// Without Scalar the link to the reference stays.
if (place) show(place).catch(() => undefined);
