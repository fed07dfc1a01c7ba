/** Nodes: the removed dynamic configuration is dropped unless it is already stored. */
import type { Strategy } from '@coxswain/apiserver';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { StatusEndpoint } from '../../resource.ts';
import { as, type AnyObject } from '../../any-object.ts';

export const nodeStrategy: Partial<Strategy<AnyObject>> = {
  prepareForCreate(object) {
    const { spec, status } = as<Node>(object);
    delete spec.configSource;
    delete status?.config;
  },
  prepareForUpdate(object, old) {
    if (as<Node>(old).spec?.configSource === undefined) delete as<Node>(object).spec.configSource;
  },
};

export const nodeStatusEndpoint: StatusEndpoint = {
  writableOutside: 'on create',
  prepareForUpdate(object, old) {
    if (as<Node>(old).status?.config === undefined) delete as<Node>(object).status?.config;
  },
};
