/** node.k8s.io/v1alpha1 had a spec around fields that are now at the top level. */
import { RuntimeClass } from '@coxswain/api/node/v1/runtime-class.ts';
import { RuntimeClass as V1alpha1, type RuntimeClassSpec } from '@coxswain/api/node/v1alpha1.ts';
import { changing } from '../conversion.ts';

export const runtimeClassConversion = changing(RuntimeClass, V1alpha1, {
  toStorage(runtimeClass) {
    const { runtimeHandler: handler, ...others } = (runtimeClass.spec ?? {}) as RuntimeClassSpec;
    delete runtimeClass.spec;
    Object.assign(runtimeClass, { handler }, others);
  },
  fromStorage(runtimeClass) {
    const { handler: runtimeHandler, overhead, scheduling } = runtimeClass;
    for (const member of ['handler', 'overhead', 'scheduling']) delete runtimeClass[member];
    runtimeClass.spec = {
      runtimeHandler,
      ...(overhead != null && { overhead }),
      ...(scheduling != null && { scheduling }),
    };
  },
});
