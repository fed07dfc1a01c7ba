/** The body of a request for a resource. */
import { here, stepIfFailed } from '@coxswain/apimachinery';
import type { ApiRequest } from './api-request.ts';
import { readBody } from './request-body.ts';

/** @throws StatusError 413, which recordings show as a step */
export const bodyOf = ({ observer, incoming: { body } }: ApiRequest): Uint8Array | Promise<Uint8Array> =>
  stepIfFailed(observer, here`read-body`, readBody, () => readBody(body));
