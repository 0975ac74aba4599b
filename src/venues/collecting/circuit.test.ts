import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Circuit } from './circuit.ts';

const middle = () => 0.5;

suite('circuit', () => {
  test('one or two failures change nothing', () => {
    const circuit = new Circuit();
    assert.equal(circuit.failed(5000, middle), 5000);
    assert.equal(circuit.failed(5000, middle), 5000);
    assert.equal(circuit.isOpen, false);
  });

  test('from the third failure on, the delay doubles, up to two minutes', () => {
    const circuit = new Circuit();
    const delays = Array.from({ length: 12 }, () => circuit.failed(5000, middle));
    assert.deepEqual(delays.slice(2, 8), [5000, 10_000, 20_000, 40_000, 80_000, 120_000]);
    assert.equal(delays.at(-1), 120_000);
    assert.equal(circuit.isOpen, true);
    assert.equal(circuit.failuresInARow, 12);
  });

  test('jitter spreads venues by a quarter to either side', () => {
    const delayAt = (random: number) => {
      const circuit = new Circuit();
      for (let i = 0; i < 4; i++) circuit.failed(5000, () => random);
      return circuit.failed(5000, () => random);
    };
    assert.equal(delayAt(0), 15_000);
    assert.equal(delayAt(1), 25_000);
  });

  test('a poll with a long period never runs sooner than its period', () => {
    const circuit = new Circuit();
    for (let i = 0; i < 10; i++) assert.ok(circuit.failed(300_000, () => 0) >= 300_000);
  });

  test('one success closes it', () => {
    const circuit = new Circuit();
    for (let i = 0; i < 5; i++) circuit.failed(5000, middle);
    circuit.succeeded();
    assert.equal(circuit.isOpen, false);
    assert.equal(circuit.failed(5000, middle), 5000);
  });
});
