import { goJson } from '@coxswain/apimachinery/go-quote.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/**
 * Tells, after a restart of the kubelet, whether a running container is still what the pod wants: FNV-1a of name and
 * image in the form that the original hashes (Go's print of the bytes of a JSON object), so that either kubelet
 * takes over the containers of the other.
 */
export function containerHash({ name, image = '' }: Pick<Container, 'name' | 'image'>): string {
  const json = new TextEncoder().encode(goJson({ image, name }));
  const printed = `([]uint8)[${json.join(' ')}]`;
  let hash = fnvOffset;
  for (let at = 0; at < printed.length; at++) hash = Math.imul(hash ^ printed.charCodeAt(at), fnvPrime) >>> 0;
  return hash.toString(16);
}
