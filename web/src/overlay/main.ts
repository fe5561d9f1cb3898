import { connect } from './connection.ts'
import { afterEvent, fromSnapshot, type Model, nextExpiry, withoutExpired } from './model.ts'
import { readOptions } from './options.ts'
import { createScreen } from './screen.ts'

const options = readOptions(location.search)
const screen = createScreen(document.body, options)
let model: Model | undefined
let timer: ReturnType<typeof setTimeout> | undefined

const show = (next: Model): void => {
  const now = performance.now()
  model = withoutExpired(next, options.linger, now)
  screen.show(model)
  clearTimeout(timer)
  const at = nextExpiry(model, options.linger)
  if (at !== null) timer = setTimeout(() => model && show(model), Math.max(50, at - now))
}

const query = new URLSearchParams({
  ...(options.token !== null && { token: options.token }),
  ...(options.language !== null && { language: options.language }),
}).toString()

// A relative address, so that the page needs no code of the console to find the path of PUBLIC_URL.
const connection = connect(`api/stream/events${query === '' ? '' : `?${query}`}`, {
  onSnapshot(snapshot) {
    show(fromSnapshot(snapshot, options.language, performance.now()))
    document.documentElement.dataset.shown = 'true'
  },
  onEvent(type, payload) {
    if (!model) return
    const next = afterEvent(model, type, payload, performance.now())
    if (next === null) connection.reconnect()
    else show(next)
  },
  onState(state) {
    document.documentElement.dataset.line = state
  },
})
