import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSavedForms } from './saved-forms.ts'

const CHANGES = { title: { was: '', now: 'Buy milk' } }

/** The session storage of a tab. */
const createStorage = () => {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
}

describe('the saved input of a form', () => {
  let sessionStorage = createStorage()
  beforeEach(() => {
    sessionStorage = createStorage()
    vi.stubGlobal('window', { sessionStorage })
  })
  afterEach(() => void vi.unstubAllGlobals())

  it('survives a reload of the page', () => {
    const before = createSavedForms()
    before.setOwner('1')
    before.set('task', CHANGES)
    expect(createSavedForms().get('task')).toEqual(CHANGES)
  })

  it('is kept for each form by its name', () => {
    const forms = createSavedForms()
    forms.set('task 1', CHANGES)
    expect(forms.get('task 2')).toBeNull()
    forms.set('task 1', null)
    expect(forms.get('task 1')).toBeNull()
  })

  it('leaves nothing in the storage after it was submitted', () => {
    const forms = createSavedForms()
    forms.set('task', CHANGES)
    forms.set('task', null)
    expect([...sessionStorage.entries]).toEqual([])
  })

  it('is deleted on sign-out', () => {
    const forms = createSavedForms()
    forms.set('task', CHANGES)
    forms.clear()
    expect(createSavedForms().get('task')).toBeNull()
  })

  it('is hidden from another user, and kept for the same one', () => {
    const forms = createSavedForms()
    forms.setOwner('1')
    forms.set('task', CHANGES)
    forms.setOwner('1')
    expect(forms.get('task')).toEqual(CHANGES)
    forms.setOwner('2')
    expect(forms.get('task')).toBeNull()
  })

  it('stays in memory when the storage is blocked or full', () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    vi.stubGlobal('window', { sessionStorage: { getItem: blocked, setItem: blocked, removeItem: blocked } })
    const forms = createSavedForms()
    forms.set('task', CHANGES)
    expect(forms.get('task')).toEqual(CHANGES)
  })

  it('dismisses the toast about it once when the form opens again', () => {
    const dismiss = vi.fn()
    const forms = createSavedForms()
    forms.onReopen('task', dismiss)
    forms.reopen('task')
    forms.reopen('task')
    expect(dismiss).toHaveBeenCalledOnce()
  })
})
