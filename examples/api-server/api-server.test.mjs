import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startLibrary } from './api-server.mjs';

const book = (name, pages) => ({
  apiVersion: 'library.example.com/v1',
  kind: 'Book',
  metadata: { name },
  spec: { title: name, pages },
});

test('books are validated, get defaults, and are watched', async () => {
  const { books, stop } = await startLibrary();
  const created = await untilServed(() => books.create(book('moby-dick', 600)));
  assert.equal(created.spec.lent, false);
  await assert.rejects(books.create(book('encyclopedia', 20_000)), {
    code: 422,
    message: /nobody reads that/,
  });
  await books.patch('moby-dick', { spec: { lent: true } }, { type: 'merge' });
  const { items } = await books.list();
  assert.deepEqual(
    items.map(({ metadata, spec }) => [metadata.name, spec.lent]),
    [['moby-dick', true]],
  );
  await stop();
});

/** A definition is served a moment after it was made. */
async function untilServed(attempt) {
  for (;;) {
    try {
      return await attempt();
    } catch (failure) {
      if (failure.code !== 404 && failure.code !== 429) throw failure;
      await new Promise(setImmediate);
    }
  }
}
