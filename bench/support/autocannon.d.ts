/** The part of autocannon that the benchmarks use; it brings no types of its own. */
declare module 'autocannon' {
  interface Client {
    setRequests(requests: readonly { path: string }[]): void;
    setHeaders(headers: Record<string, string>): void;
  }
  interface Options {
    url: string;
    connections: number;
    amount: number;
    headers: Record<string, string>;
    setupClient?: (client: Client) => void;
  }
  interface Result {
    requests: { total: number };
    latency: { p50: number; p99: number };
    duration: number;
    errors: number;
    '2xx': number;
    '3xx': number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
