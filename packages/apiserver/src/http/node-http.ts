/**
 * `node:http` and `node:https`, past the import of them: that would ask the module for all that it has, and with its WebSocket comes
 * a whole HTTP client that nobody here uses, at the cost of a thirtieth of the server's start.
 */
import process from 'node:process';

export const http: typeof import('node:http') = process.getBuiltinModule('node:http');

export const https: typeof import('node:https') = process.getBuiltinModule('node:https');

export const { STATUS_CODES } = http;
