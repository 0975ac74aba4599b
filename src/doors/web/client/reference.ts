/** The interactive reference: Scalar on our own API description, with nothing sent to anybody else. */
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
    for (const parameter of get?.parameters ?? []) switchOff(parameter);
  // Scalar would take the plain list for its own rendering from a server, and it brings a main part of its own.
  const stage = document.createElement('div');
  stage.id = 'scalar';
  const { createApiReference } = Scalar;
  place.replaceWith(stage);
  createApiReference('#scalar', {
    content: description,
    telemetry: false,
    withDefaultFonts: false,
    // A key that was typed in is gone with the page.
    persistAuth: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'bearer' },
    agent: { disabled: true },
    mcp: { disabled: true },
  });
}

/** Scalar would send every example at once, and all filters together find nothing: each waits to be ticked. */
function switchOff(parameter: Parameter): void {
  if (parameter.in !== 'query' || parameter.required || parameter.example === undefined) return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

const place = document.getElementById('reference');
// Without Scalar the plain list stays.
if (place) show(place).catch(() => undefined);
