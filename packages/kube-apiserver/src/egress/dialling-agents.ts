/** Agents of HTTP/1.1 whose connections are dialled. */
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { http } from '@coxswain/apiserver/http/node-http.ts';
import { tunnelled } from '@coxswain/client/https/tunnelled-agent.ts';
import type { Dial } from './dial.ts';

export interface DiallingAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** Idle connections to one address, and how long they are kept. */
const kept = { keepAlive: true, maxFreeSockets: 25, timeout: 90_000 };

export const diallingAgents = (dial: Dial): DiallingAgents => ({
  http: tunnelled(new http.Agent(kept), dial),
  https: tunnelled(new HttpsAgent(kept), dial),
});
