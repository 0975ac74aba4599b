/** The part of autocannon that we use; the package brings no types. */
declare module 'autocannon' {
  interface LoadRequest {
    method?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: LoadRequest) => LoadRequest;
  }
  interface LoadResult {
    errors: number;
    non2xx: number;
    requests: { total: number };
  }
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    requests: readonly LoadRequest[];
  }): Promise<LoadResult>;
}
