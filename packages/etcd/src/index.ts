export { serveEtcd } from './server.ts';
export type { EtcdServerOptions } from './server.ts';
export type { Listener, TlsOptions } from './listen.ts';
export { memberOf } from './member.ts';
export type { Member } from './member.ts';
export { runEtcd } from './command.ts';
