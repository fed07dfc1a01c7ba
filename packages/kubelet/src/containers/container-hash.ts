import { goJson } from '@coxswain/apimachinery/go-quote.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/**
 * Shows after a restart of the kubelet whether a running container still matches the pod: FNV-1a of name and image in
 * the form that upstream hashes (Go's representation of a JSON object's bytes), so that either kubelet can adopt the
 * other's containers.
 */
export function containerHash({ name, image = '' }: Pick<Container, 'name' | 'image'>): string {
  const json = new TextEncoder().encode(goJson({ image, name }));
  const printed = `([]uint8)[${json.join(' ')}]`;
  let hash = fnvOffset;
  for (let at = 0; at < printed.length; at++) hash = Math.imul(hash ^ printed.charCodeAt(at), fnvPrime) >>> 0;
  return hash.toString(16);
}
