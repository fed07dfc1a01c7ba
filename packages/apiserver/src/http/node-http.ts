/**
 * Loads `node:http` and `node:https` without an import: that would read all their exports, among them WebSocket, which
 * loads an unused HTTP client and costs a thirtieth of the server's startup.
 */
import process from 'node:process';

export const http: typeof import('node:http') = process.getBuiltinModule('node:http');

export const https: typeof import('node:https') = process.getBuiltinModule('node:https');

export const { STATUS_CODES } = http;
