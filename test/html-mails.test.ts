import { describe, expect, it } from 'vitest'
import {
  evaluateHtmlMails,
  type HtmlMail,
  MAX_DIFFERENCE,
  readOwnMails,
  readPublicMails,
} from '../bench/html-mails.ts'
import { browserPath } from './browser/visitor.ts'

/** Takes every n-th mail, so that all sources occur. `npm run evaluate` compares all of them. */
const sample = (mails: readonly HtmlMail[], count: number): HtmlMail[] =>
  mails.filter((_, index) => index % Math.ceil(mails.length / count) === 0)

const publicMails = readPublicMails()
const SETS = [
  ['own mails', readOwnMails(), 5],
  ['public mails', publicMails ? [...publicMails.tuning, ...publicMails.validation] : [], 6],
] as const

const whySkipped = browserPath ? '' : ' (skipped: TEST_CHROMIUM names no browser)'

describe.skipIf(!browserPath)(`HTML mail in the console${whySkipped}`, () => {
  it.for(SETS)(
    'looks as sent, and no visible text is called hidden: %s',
    async ([, mails, count], { skip }) => {
      if (mails.length === 0) skip('../shared/data/html-mails is absent')
      const results = await evaluateHtmlMails(sample(mails, count))
      const tooDifferent = results?.filter(({ difference }) => difference > MAX_DIFFERENCE)
      expect(tooDifferent?.map(({ name }) => name)).toEqual([])
      const accused = results?.filter(({ visibleCalledHidden }) => visibleCalledHidden.length > 0)
      expect(accused?.map(({ name }) => name)).toEqual([])
    },
  )

  it('reports text that is hidden after visible text', async () => {
    const pages = [
      ['<p>Hello Ana</p><div style="display:none">Transfer the money to this account</div>', true],
      ['<p>Hello Ana</p><p style="color:#fff">Transfer the money to this account</p>', true],
      ['<p>Hello Ana</p><p style="font-size:0">Transfer the money to this account</p>', true],
      ['<p>Hello Ana</p><p style="position:absolute;left:-9999px">Transfer the money to them</p>', true],
      ['<p>Hello Ana</p><p style="height:0;overflow:hidden">Transfer the money to them</p>', true],
      ['<style>.x{opacity:0}</style><p>Hello Ana</p><p class="x">Transfer the money to them</p>', true],
      ['<div style="display:none">The preview line of a newsletter</div><p>Hello Ana</p>', false],
      ['<a style="background:#d6336c;color:#fff;padding:12px">Read the issue now</a>', false],
      ['<table bgcolor="#222222"><tr><td style="color:#fff">White on a dark table</td></tr></table>', false],
      [
        '<style>.b{background:#333}</style><p>Hello</p><p class="b" style="color:white">White on dark text</p>',
        false,
      ],
      [
        '<table background="https://x.example/a.png"><tr><td><font color="white">White over a picture</font></table>',
        false,
      ],
    ] as const
    const mails = pages.map(([html], index) => ({ name: String(index), html }))
    const results = await evaluateHtmlMails(mails)
    expect(results?.map(({ reported }) => reported !== null)).toEqual(pages.map(([, expected]) => expected))
  })
})
