/** Between the version of an endpoint and the one that is stored. */
import { runStep, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';
import type { ResourceScope } from '../resource-scope.ts';

export const toStored = ({ observer }: ApiRequest, scope: ResourceScope, object: KubeObject): KubeObject =>
  runStep(
    observer,
    'convert',
    () => {
      const converted = scope.toStorage(object);
      observer?.note?.({ from: object.apiVersion, to: converted.apiVersion });
      return converted;
    },
    undefined,
    scope.toStorage,
  );

export const fromStored = ({ observer }: ApiRequest, scope: ResourceScope, stored: KubeObject): KubeObject =>
  runStep(
    observer,
    'convert',
    () => {
      const converted = scope.fromStorage(stored);
      observer?.note?.({ from: stored.apiVersion, to: converted.apiVersion });
      return converted;
    },
    undefined,
    scope.fromStorage,
  );
