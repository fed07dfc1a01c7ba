/** Requests beside kubectl: what a case finds when it begins, and what happens while it runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@coxswain/client/transport.ts';
import type { HttpStep, SetupObject } from './case.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface ApiResource {
  readonly root: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

const servedMsMax = 20_000;
const pauseMs = 20;

export class CaseApi {
  readonly #transport: Transport;
  readonly #token: string;

  constructor(transport: Transport, token: string) {
    this.#transport = transport;
    this.#token = token;
  }

  async request(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const bytes = body === undefined ? undefined : new TextEncoder().encode(textOf(body));
    const answer = await this.#transport.send({
      method,
      path,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.#token}`,
        ...(bytes && { 'content-type': type }),
      },
      ...(bytes && { body: bytes }),
    });
    return { status: answer.status, text: new TextDecoder().decode(await answer.bytes()) };
  }

  /** @throws Error when it is refused */
  async step({ http, body, type, mayFail = false }: HttpStep): Promise<void> {
    const [method = '', path = ''] = http.split(' ');
    const { status, text } = await this.request(method, path, body, type);
    if (status >= 300 && !mayFail) throw new Error(`${http}: ${status} ${text.slice(0, 300)}`);
  }

  /** With its status, if it has one. @returns its uid @throws Error when it is refused */
  async create(object: SetupObject, namespace: string): Promise<string> {
    const { status, ...rest } = object;
    const { root, plural, namespaced } = await this.#resourceOf(object);
    const place = namespaced ? `/namespaces/${object.metadata.namespace ?? namespace}` : '';
    const collection = `${root}${place}/${plural}`;
    const made = JSON.parse(await this.#must('POST', collection, rest)) as SetupObject & {
      metadata: { readonly uid: string };
    };
    if (status !== undefined)
      await this.#must('PUT', `${collection}/${made.metadata.name}/status`, {
        ...made,
        status: { ...made.status, ...status },
      });
    if (object.kind === 'CustomResourceDefinition') await this.#served(object as unknown as Definition);
    return made.metadata.uid;
  }

  /** Those outside of namespaces; the others go with theirs. */
  async removeClusterWide(object: SetupObject): Promise<void> {
    const { root, plural, namespaced } = await this.#resourceOf(object);
    if (!namespaced) await this.request('DELETE', `${root}/${plural}/${object.metadata.name}`);
  }

  async #must(method: string, path: string, body: unknown): Promise<string> {
    const { status, text } = await this.request(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 400)}`);
    return text;
  }

  async #resourceOf({ apiVersion, kind }: SetupObject): Promise<ApiResource> {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const listed = JSON.parse((await this.request('GET', root)).text) as ResourceList;
    const found = listed.resources?.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) throw new Error(`${kind} of ${apiVersion} is not served`);
    return { root, plural: found.name, namespaced: found.namespaced };
  }

  async #served({ spec: { group, names, versions } }: Definition): Promise<void> {
    const served = versions.filter((version) => version.served).map(({ name }) => `apis/${group}/${name}`);
    for (let waitedMs = 0; waitedMs < servedMsMax; waitedMs += pauseMs) {
      const open = JSON.parse((await this.request('GET', '/openapi/v3')).text) as { paths: object };
      const lists = await Promise.all(served.map((path) => this.request('GET', `/${path}`)));
      const isListed = lists.every(({ text }) => text.includes(`"name":"${names.plural}"`));
      const groups = await this.request('GET', '/apis');
      if (isListed && served.every((path) => path in open.paths) && groups.text.includes(`"${group}"`)) return;
      await sleep(pauseMs);
    }
    throw new Error(`${names.plural}.${group} is not served`);
  }
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}
