/** The part of oidc-provider that we use; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface AdapterPayload {
    [key: string]: unknown;
    jti?: string;
    grantId?: string;
    uid?: string;
    accountId?: string;
    clientId?: string;
    client_secret?: string;
    consumed?: number;
  }

  export interface Adapter {
    upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void>;
    find(id: string): Promise<AdapterPayload | undefined>;
    findByUid(uid: string): Promise<AdapterPayload | undefined>;
    findByUserCode(userCode: string): Promise<AdapterPayload | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export interface Client {
    clientId: string;
    clientName?: string;
    clientUri?: string;
    redirectUris: readonly string[];
    grantTypeAllowed(type: string): boolean;
  }

  export interface Grant {
    addOIDCScope(scope: string): void;
    rejectOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    rejectResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface Interaction {
    uid: string;
    prompt: { name: string };
    params: Readonly<Record<string, string | undefined>>;
    session?: { accountId?: string };
  }

  export interface Context {
    req: IncomingMessage;
    ip: string;
    oidc: {
      client: Client;
      session: { accountId?: string };
      result?: { consent?: unknown };
    };
  }

  export interface Prompt {
    name: string;
    checks: { add(check: interactionPolicy.Check): void; remove(reason: string): void };
  }

  export namespace interactionPolicy {
    class Check {
      constructor(
        reason: string,
        description: string,
        error: string,
        check: (context: Context) => boolean | Promise<boolean>,
      );
      static readonly REQUEST_PROMPT: boolean;
      static readonly NO_NEED_TO_PROMPT: boolean;
    }
    function base(): Prompt[] & { get(name: string): Prompt | undefined };
  }

  export namespace errors {
    class OIDCProviderError extends Error {
      error: string;
      error_description?: string;
      status: number;
    }
    class InvalidTarget extends OIDCProviderError {}
    class InvalidGrant extends OIDCProviderError {
      constructor(description: string);
    }
    class SessionNotFound extends OIDCProviderError {}
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    proxy: boolean;
    readonly Client: {
      find(clientId: string): Promise<Client | undefined>;
      prototype: { compareClientSecret(this: { clientSecret: string }, actual: string): boolean };
    };
    readonly Grant: { new (of: { accountId: string; clientId: string }): Grant };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Readonly<Record<string, unknown>>,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<string>;
    on(event: string, listener: (...args: readonly never[]) => void): void;
  }
}
