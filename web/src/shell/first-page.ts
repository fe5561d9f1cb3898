import { createContext } from 'react'

/** True until the first page was rendered. The first page leaves the focus where the browser put it. */
export const FirstPageContext = createContext<{ current: boolean }>({ current: true })
