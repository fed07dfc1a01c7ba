/** Whether a Service has endpoints, and otherwise the first reason why not. */

import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { Tone } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';

/** The part of a pod that decides whether it is an endpoint. */
export interface ServicePod extends KubeObject {
  readonly isReady: boolean;
  /** The ports that its containers declare. */
  readonly ports: readonly { readonly name?: string; readonly containerPort: number }[];
}

export interface ServiceState {
  readonly tone: Tone;
  readonly text: string;
  /** What may help. */
  readonly hint?: string;
}

const text = inLanguages(
  {
    external: (name: string) => `An alias in DNS for ${name}; it has no endpoints`,
    noSelector: 'Without a selector, its endpoints are those that somebody writes into EndpointSlices',
    noPods: (selector: string) => `No endpoints: no pod of the namespace has the labels ${selector}`,
    others: (key: string, values: string) => `Values of ${key} on pods here: ${values}`,
    unready: (count: number) =>
      count === 1
        ? 'No endpoints: its only pod is not ready'
        : `No endpoints: none of its ${count} pods is ready`,
    noPort: (port: string) =>
      `No endpoints for the port ${port}: no container of its pods declares a port of that name`,
    undeclared: (port: number) => `No container of its pods declares the port ${port}`,
    undeclaredHint: 'Requests are refused unless a program listens there all the same.',
    ready: (ready: number, all: number) => `${ready} of ${all} pods are ready`,
  },
  {
    external: (name: string) => `${name} 的 DNS 别名，没有端点`,
    noSelector: '没有选择器：端点由他人写入 EndpointSlice',
    noPods: (selector: string) => `没有端点：命名空间中没有带标签 ${selector} 的 Pod`,
    others: (key: string, values: string) => `此处 Pod 的 ${key} 取值：${values}`,
    unready: (count: number) => `没有端点：${count} 个 Pod 均未就绪`,
    noPort: (port: string) => `端口 ${port} 没有端点：其 Pod 的容器均未声明该名称的端口`,
    undeclared: (port: number) => `其 Pod 的容器均未声明端口 ${port}`,
    undeclaredHint: '除非仍有程序监听该端口，否则请求会被拒绝。',
    ready: (ready: number, all: number) => `${all} 个 Pod 中有 ${ready} 个就绪`,
  },
);

const valuesMax = 6;

/** @param pods the pods of the namespace */
export function serviceState({ spec }: Live<Service>, pods: readonly ServicePod[]): ServiceState {
  if (spec?.type === 'ExternalName') return { tone: 'info', text: text().external(spec.externalName ?? '') };
  const selector = Object.entries(spec?.selector ?? {});
  if (selector.length === 0) return { tone: 'info', text: text().noSelector };
  const own = pods.filter(({ metadata }) =>
    selector.every(([key, value]) => metadata.labels?.[key] === value),
  );
  if (own.length === 0)
    return {
      tone: 'bad',
      text: text().noPods(selector.map(([key, value]) => `${key}=${value}`).join(',')),
      ...hintOf(selector, pods),
    };
  const ready = own.filter(({ isReady }) => isReady || spec?.publishNotReadyAddresses === true);
  if (ready.length === 0) return { tone: 'bad', text: text().unready(own.length) };
  const declared = own.flatMap(({ ports }) => ports);
  for (const { targetPort, port } of spec?.clusterIP === 'None' ? [] : (spec?.ports ?? [])) {
    const wanted = targetPort ?? port;
    if (typeof wanted === 'string' && !declared.some(({ name }) => name === wanted))
      return { tone: 'bad', text: text().noPort(wanted) };
    if (typeof wanted === 'number' && !declared.some(({ containerPort }) => containerPort === wanted))
      return { tone: 'warn', text: text().undeclared(wanted), hint: text().undeclaredHint };
  }
  return {
    tone: ready.length === own.length ? 'ok' : 'warn',
    text: text().ready(ready.length, own.length),
  };
}

/** The values that pods have for the first label that no pod has as selected: a selector is easily mistyped. */
function hintOf(
  selector: readonly (readonly [key: string, value: string])[],
  pods: readonly ServicePod[],
): { readonly hint?: string } {
  for (const [key, value] of selector) {
    const values = new Set(pods.flatMap(({ metadata }) => metadata.labels?.[key] ?? []));
    if (values.has(value) || values.size === 0) continue;
    const sorted = [...values].toSorted();
    const more = sorted.length > valuesMax ? ', …' : '';
    return { hint: text().others(key, `${sorted.slice(0, valuesMax).join(', ')}${more}`) };
  }
  return {};
}
