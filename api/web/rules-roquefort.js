export const roquefort = { id: 'roquefort', title: { en: 'Chateau Roquefort', cs: 'Burg Appenzell' }, lead: { en: '', cs: '' }, sections: [] }
