import { connect } from './connection.ts'
import { afterEvent, fromSnapshot, type Model, nextToGo, withoutOld } from './model.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'

const options = readOptions(location.search)
const screen = createScreen(document.body, options)
let model: Model | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const show = (next: Model): void => {
  const now = performance.now()
  model = withoutOld(next, options.linger, now)
  screen.show(model)
  clearTimeout(timer)
  const at = nextToGo(model, options.linger)
  if (at !== null) timer = setTimeout(() => model && show(model), Math.max(50, at - now))
}

const query = new URLSearchParams({
  ...(options.token !== null && { token: options.token }),
  ...(options.language !== null && { language: options.language }),
}).toString()

const line = connect(`/api/stream/events${query === '' ? '' : `?${query}`}`, {
  onSnapshot(snapshot) {
    show(fromSnapshot(snapshot, options.language, performance.now()))
    document.documentElement.dataset.shown = 'true'
  },
  onEvent(type, told) {
    if (!model) return
    const next = afterEvent(model, type, told, performance.now())
    if (next === null) line.beginAnew()
    else show(next)
  },
  onState(state) {
    document.documentElement.dataset.line = state
  },
})
