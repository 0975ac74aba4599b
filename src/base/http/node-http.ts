/**
 * Node's HTTP module. An `import` of it reads all its exports, and some of them load Node's own fetch, which this service
 * does not use: 80 ms at the start of every process.
 */
export const { createServer, request, IncomingMessage, ServerResponse, STATUS_CODES } =
  process.getBuiltinModule('node:http');
