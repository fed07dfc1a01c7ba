import { describe, expect, it } from 'vitest';
import { patchesConflict } from './conflicts.ts';
import { openApiPatchSchema } from './patch-schema.ts';

const containers = {
  'x-kubernetes-patch-strategy': 'merge',
  'x-kubernetes-patch-merge-key': 'name',
  items: { properties: { name: {}, image: {}, tty: {} } },
};
const schema = openApiPatchSchema({}, { properties: { replicas: {}, plain: {}, containers } });

describe('two patches of one object', () => {
  it('agree when they set a field to the same', () => {
    expect(patchesConflict({ replicas: 2 }, { replicas: 2 }, schema)).toBe(false);
  });

  it('conflict when they set it otherwise, or one removes it', () => {
    expect(patchesConflict({ replicas: 2 }, { replicas: 3 }, schema)).toBe(true);
    expect(patchesConflict({ replicas: null }, { replicas: 3 }, schema)).toBe(true);
  });

  it('may change different items of a list that merges, and different members of one item', () => {
    const web = { containers: [{ name: 'web', image: 'web:1' }] };
    expect(patchesConflict(web, { containers: [{ name: 'side', image: 'side:1' }] }, schema)).toBe(false);
    expect(patchesConflict(web, { containers: [{ name: 'web', tty: true }] }, schema)).toBe(false);
    expect(patchesConflict(web, { containers: [{ name: 'web', image: 'web:2' }] }, schema)).toBe(true);
  });

  it('conflict over an item that one deletes and the other changes', () => {
    const gone = { containers: [{ name: 'web', $patch: 'delete' }] };
    expect(patchesConflict(gone, { containers: [{ name: 'web', image: 'web:2' }] }, schema)).toBe(true);
  });

  it('conflict over lists that are replaced', () => {
    expect(patchesConflict({ plain: ['a'] }, { plain: ['b'] }, schema)).toBe(true);
    expect(patchesConflict({ plain: ['a', 'b'] }, { plain: ['b', 'a'] }, schema)).toBe(false);
    const ports = [{ port: 80 }];
    expect(patchesConflict({ plain: ports }, { plain: [{ port: 80, protocol: 'TCP' }] }, schema)).toBe(false);
    expect(patchesConflict({ plain: ports }, { plain: [{ port: 81 }] }, schema)).toBe(true);
  });
});
