/** The parts that need Node: ports and files. */

export * from './probe-server.ts';
export * from './webhook/webhook-server.ts';
