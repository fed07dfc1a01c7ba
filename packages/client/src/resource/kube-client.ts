/** The door to a cluster: resources by name, the REST client below, discovery beside. */

import { parseApiVersion } from '@coxswain/apimachinery';
import type { GroupVersionResource, KubeObject } from '@coxswain/apimachinery';
import { RestClient } from '../rest/rest-client.ts';
import type { RestClientOptions } from '../rest/rest-client.ts';
import { ResourceClient } from './resource-client.ts';

export class KubeClient {
  readonly rest: RestClient;

  constructor(rest: RestClient) {
    this.rest = rest;
  }

  /** `client.resource(pods)`, `client.resource('apps/v1', 'deployments')` */
  resource<T extends KubeObject = KubeObject>(resource: GroupVersionResource): ResourceClient<T>;
  resource<T extends KubeObject = KubeObject>(apiVersion: string, resource: string): ResourceClient<T>;
  resource<T extends KubeObject>(first: GroupVersionResource | string, second?: string): ResourceClient<T> {
    const resource =
      typeof first === 'string' ? { ...parseApiVersion(first), resource: second ?? '' } : first;
    return new ResourceClient<T>(this.rest, resource);
  }

  /** The same connection under another name, with other limits or another observer. */
  with(options: Partial<RestClientOptions>): KubeClient {
    return new KubeClient(this.rest.with(options));
  }

  close(): Promise<void> {
    return this.rest.transport.close();
  }
}

export const createClient = (options: RestClientOptions): KubeClient =>
  new KubeClient(new RestClient(options));
