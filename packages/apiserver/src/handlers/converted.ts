import { here, runStep, type KubeObject } from '@coxswain/apimachinery';
import type { ApiRequest } from '../http/api-request.ts';

/** Converts between the endpoint's version and the stored one, by the scope's `toStorage` or `fromStorage`. */
export const converted = (
  { observer }: ApiRequest,
  convert: (object: KubeObject) => KubeObject,
  object: KubeObject,
): KubeObject =>
  runStep(
    observer,
    here`convert`,
    () => {
      const result = convert(object);
      observer?.note?.({ from: object.apiVersion, to: result.apiVersion });
      return result;
    },
    undefined,
    convert,
  );
