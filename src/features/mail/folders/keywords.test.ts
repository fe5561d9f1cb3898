import { expect, it } from 'vitest'
import { findMissingTags, toKeyword, toTag } from './keywords.ts'

it.each([
  ['work-2026', 'work-2026'],
  ['Steuer/Privat', 'Steuer/Privat'],
  ['two words', 'two=20words'],
  ['Büro', 'B=C3=BCro'],
  ['100 %', '100=20=25'],
  ['$Junk', '=24Junk'],
  ['junk', '=6Aunk'],
  ['a=b', 'a=3Db'],
  ['🎉', '=F0=9F=8E=89'],
])('maps the tag %s to the keyword %s and back', (tag, keyword) => {
  expect(toKeyword(tag)).toBe(keyword)
  expect(toTag(keyword)).toBe(tag)
})

it('maps the labels of Thunderbird to their names', () => {
  expect(toTag('$label1')).toBe('Important')
  expect(toTag('$Label4')).toBe('To Do')
  expect(toKeyword('to do')).toBe('$label4')
})

it('ignores keywords that are states of mail programs', () => {
  for (const keyword of ['$Junk', '$NotJunk', '$Forwarded', '$MDNSent', 'NonJunk', 'Forwarded'])
    expect(toTag(keyword)).toBe(undefined)
})

it('compares tags without case', () => {
  expect(findMissingTags(['Work'], ['work', 'Home'])).toEqual(['Home'])
})
