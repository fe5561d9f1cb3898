import { createContext } from 'react'

/** Whether this visit has shown a page yet: the first one leaves the focus where the browser put it. */
export const FirstPage = createContext<{ current: boolean }>({ current: true })
