import { describe, expect, it } from 'vitest';
import { expectAccessible, ready, useStage } from './browser';
import { type } from './hands';

const number = (text: string | null) => Number((text ?? '').replace('−', '-').replace('+', ''));

describe.skipIf(!ready)('look inside', () => {
  const { open } = useStage({ filled: true });

  it('shows shares that sum up to the evaluation', async () => {
    const { page, complaints } = await open('/inside');
    await page.getByLabel('Through whose eyes').selectOption('network:tiny.net');
    for (const move of ['e4', 'd5', 'exd5']) {
      await type(page, move);
      await page.locator('tr.sum').waitFor();
    }
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 31);
    const sum = number(await page.locator('tr.sum td.number').textContent());
    const shown = number(await page.locator('.values b').first().textContent());
    expect(sum).toBe(shown);
    const shares = await page.locator('tbody tr td:nth-child(2)').allTextContents();
    const rest = await page.locator('tfoot tr:not(.sum) td:nth-child(2)').allTextContents();
    const total = [...shares, ...rest].map(number).reduce((one, other) => one + other, 0);
    // Every line is rounded to a hundredth.
    expect(Math.abs(total - shown)).toBeLessThan(0.005 * (shares.length + 2));
    expect(await page.locator('.board .heat b').count()).toBe(31);
    await page.getByLabel('Removal effect').check();
    expect(await page.locator('.board .heat b').count()).toBe(29);
    expect(complaints).toEqual([]);
  });

  it('shows terms that sum up to the hand-crafted evaluation', async () => {
    const { page } = await open('/inside');
    await page.getByLabel('Through whose eyes').selectOption('handcrafted');
    await type(page, 'e4');
    await page.getByRole('tab', { name: 'Terms' }).click();
    const shown = number(await page.locator('tr.sum td.number').textContent());
    const shares = await page.locator('tbody tr td:nth-child(2)').allTextContents();
    const rounding = await page.locator('tfoot tr:not(.sum) td.number').textContent();
    const total = [...shares, rounding].map(number).reduce((one, other) => one + other, 0);
    expect(Math.abs(total - shown)).toBeLessThan(0.005 * (shares.length + 1));
  });

  it('shows every view of what there is', async () => {
    const { page, complaints } = await open('/inside');
    await page.getByLabel('Through whose eyes').selectOption('network:tiny.net');
    await page.getByRole('tab', { name: 'Neurons' }).waitFor();
    await type(page, 'Nf3');
    await page.getByText('31 active').or(page.locator('tr.sum')).first().waitFor();
    expect(await page.getByRole('tab').count()).toBe(5);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await page.waitForTimeout(200);
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });

  it('tells what the last move changed, and what a neuron looks for', async () => {
    const { page, complaints } = await open('/inside');
    await page.getByLabel('Through whose eyes').selectOption('network:tiny.net');
    await type(page, 'Nf3');
    await page.getByRole('tab', { name: 'Features' }).click();
    await page.getByText('the last move: 1 on, 1 off').waitFor();
    expect(await page.locator('tr.added').count()).toBe(1);
    // Where they stand is told as the board has it, for the one that is gone too.
    expect(await page.locator('tr.added td:nth-child(2)').textContent()).toBe('f3');
    expect(await page.locator('tr.removed td:nth-child(2)').textContent()).toBe('g1');
    const shown = await page.locator('.values b').first().textContent();
    const sums = await page.locator('tfoot tr:not(.sum) td.number').allTextContents();
    expect(Math.abs(sums.map(number).reduce((one, other) => one + other, 0) - number(shown))).toBeLessThan(0.02);
    expect(await page.locator('tr.sum td.number').textContent()).toBe(shown);
    await page.getByRole('tab', { name: 'Neurons' }).click();
    await page.getByRole('img', { name: 'Weights for own knight' }).waitFor();
    expect(await page.locator('tr.sum td.number').textContent()).toBe(shown);
    await page.getByLabel('own king on').selectOption('g1');
    await page.getByRole('tab', { name: 'Layers' }).click();
    await page.getByRole('heading', { name: 'output', exact: false }).waitFor();
    // Whoever points at a cell is told its number.
    await page.getByRole('img', { name: /^layer 1/ }).hover({ position: { x: 5, y: 5 } });
    await page.getByText(/^number 0: \d+ of \d+$/).waitFor();
    expect(complaints).toEqual([]);
  });
});
