/** HTTP/1.1 agents whose connections use a dialer or are direct. */
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { http } from '@coxswain/apiserver/http/node-http.ts';
import { judging } from '@coxswain/client/https/connect-tls.ts';
import { tunnelled } from '@coxswain/client/https/tunnelled-agent.ts';
import type { Dial } from './dial.ts';

export interface DiallingAgents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** The number of idle connections per address, and how long they are kept. */
const kept = { keepAlive: true, maxFreeSockets: 25, timeout: 90_000 };

/** The settings of Node's own agents. */
const direct = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const;

export const directAgents = (): DiallingAgents => ({
  http: new http.Agent(direct),
  https: judging(new HttpsAgent(direct)),
});

export const diallingAgents = (dial: Dial): DiallingAgents => ({
  http: tunnelled(new http.Agent(kept), dial),
  https: tunnelled(judging(new HttpsAgent(kept)), dial),
});
