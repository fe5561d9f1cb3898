export const layout = 'Layout'
export const layouts = { list: 'List', board: 'Board' }
export const noSection = 'No section'
export const moveToSection = (name: string) => `Move to ${name}`
