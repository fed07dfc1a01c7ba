import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

/** Answers one verb of an endpoint. What it throws becomes the answer: a StatusError as it is. */
export type Handler = (request: ApiRequest, scope: ResourceScope) => ApiResponse | Promise<ApiResponse>;
