import type { ApiRequest } from '../http/api-request.ts';
import type { ApiResponse } from '../http/api-response.ts';
import type { ResourceScope } from '../services/resource-scope.ts';

/** Handles one verb of an endpoint. Whatever it throws becomes the response: a StatusError unchanged. */
export type Handler = (request: ApiRequest, scope: ResourceScope) => ApiResponse | Promise<ApiResponse>;
