import { badRequest, type KubeObject } from '@coxswain/apimachinery';

/** Sets the object's namespace to the request's. @throws StatusError 400 when the object states another one */
export function placeInNamespace(object: KubeObject, namespace: string): void {
  const { metadata } = object;
  const given = metadata.namespace ?? '';
  if (given === namespace) return;
  if (given !== '' && namespace !== '') {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (namespace === '') delete metadata.namespace;
  else metadata.namespace = namespace;
}
